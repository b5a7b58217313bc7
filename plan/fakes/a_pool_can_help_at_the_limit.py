measured = {"by_case": {"table": [{"case": "not_allowed", "from": "error"}, {"case": "allowed", "from": "pool"}, {"case": "room_left", "from": "new"}]}}
