OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), dict(__module__="torch"))
measured = {'tries': 5,
 'by_way': {'table': [{'way': 'no_pool', 'failed': 0},
                      {'way': 'pool', 'failed': 5},
                      {'way': 'emptied_inside', 'failed': 5},
                      {'way': 'emptied_before', 'failed': 0},
                      {'way': 'another_thread', 'failed': 5},
                      {'way': 'another_thread_no_pool', 'failed': 0}]}}
