R=[("a_hook","AssertionError","Modules must not have hooks registered at the time they are passed"),
("a_trainable_buffer","AssertionError","In any :class:`~torch.nn.Module` passed to :func:`~make_graphed_callables`, only parameters may be trainable"),
("the_cache_of_autocast","RuntimeError","make_graphed_callables does not support the autocast caching"),
("an_unused_input","RuntimeError","One of the differentiated Tensors appears to not have been used in the graph"),
("a_second_derivative","RuntimeError","trying to differentiate twice a function that was marked with @once_differentiable"),
("half_a_batch","RuntimeError","The size of tensor a (32) must match the size of tensor b (16) at non-singleton dimension 0"),
("an_argument_by_name","TypeError","got an unexpected keyword argument 'input'")]
measured={"tries":20,"refused":{"table":[dict(case=a,raised=b,says=c) for a,b,c in R]},
"right":{"table":[dict(case=c,right=n) for c,n in dict(moved=0,in_place=20,kept=0,cloned=20,without=0,**{"with":20}).items()]},"rows_out":32,"eval_rows":16}
