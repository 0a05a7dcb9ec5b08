/* The problem's parameters; plain C, no device code in here. */
#ifndef ARGS_H
#define ARGS_H

struct args
{
	int width;
	int height;
	int max_sweeps;
	int check_every;
	float tolerance;
	float hot;
};

static const struct args default_args = {
	192,     /* width */
	130,     /* height */
	1500,    /* max_sweeps */
	50,      /* check_every */
	0.0005f, /* tolerance */
	100.0f   /* hot */
};

#endif
