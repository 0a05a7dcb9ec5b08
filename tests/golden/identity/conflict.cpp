<<<<<<< ours
int a;
=======
int b;
>>>>>>> theirs
