rows=[]
for w in (0,1,2,3):
    rows.append({"workers":w,"own":True,"order_again":True,"torch_again":w>0,"python_again":w>0,"order_as_with_two":True,"torch_as_with_two":w==2,"python_as_with_two":w==2})
measured={"by_workers":{"table":rows},"second_order_differs":True,"second_numbers_differ":True,"order_moved_by_a_draw":True}
