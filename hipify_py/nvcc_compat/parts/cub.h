namespace hipcub = cub;
