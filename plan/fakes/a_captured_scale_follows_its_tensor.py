measured={"scales":6,"by_way":{"table":[dict(way="by_the_scaler",followed=6),dict(way="by_a_number",followed=0)]}}
