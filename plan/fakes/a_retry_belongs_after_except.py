OutOfMemoryError = type("OutOfMemoryError", (RuntimeError,), dict(__module__="torch"))
measured = {'tries': 20,
 'by_way': {'table': [{'way': 'inside', 'worked': 0},
                      {'way': 'emptied inside', 'worked': 0},
                      {'way': 'with the exception kept', 'worked': 0},
                      {'way': 'after', 'worked': 20},
                      {'way': 'in parts', 'worked': 20}]}}
