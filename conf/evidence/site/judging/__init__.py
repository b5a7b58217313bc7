"""The end of reading: every claim is judged, what differs is counted, what is old is found."""
