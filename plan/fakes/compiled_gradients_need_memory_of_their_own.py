measured={"steps":8,"zeros_right":8,"none_right":0,"none_first":"raised","late":6,"late_wrong":6}
