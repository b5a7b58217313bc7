measured={"gradient_error_share":2e-7,"processes":1,"threads":2,"gpus":2}
