names=[f"op{n}" for n in range(600)]+["index_add","cumsum"]
measured={"operators":697,"samples":4,"runs":20,"varied_and_not_empty":0,"forward_operators":640,"forward_switched_varied":5,"forward_switched_raised":13,"forward_switched_changed":22,"backward_operators":430,"backward_switched_varied":0,"backward_switched_raised":22,"backward_switched_changed":30,
"by_operator":{"table":[{"operator":n,"forward":"4 same","forward_switched":"4 changed, same","forward_says":"","backward":"4 same","backward_switched":"4 raised","backward_says":"x_backward_cuda"} for n in names]}}
