"""What readers type into the search, and where the answer stands: a page, and claims or its lead.

Written before the search was tuned, the way people ask: short, sloppy, with a symptom or a pasted
message. Several answers are separated by spaces; one of them has to be in view.
"""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """A question, and the places that answer it: pages, and the ids there or ``lead``."""

    text: str
    answers: str


def _read(lines: str) -> list[Question]:
    pairs = (line.split(" | ") for line in lines.strip().splitlines())
    return [Question(text.strip(), answers.strip()) for text, answers in pairs]


#: In ordinary words and whole.
ORDINARY = _read("""
is non_blocking safe | transfer/wrong_bytes#lead transfer/non_blocking#lead
when should I use pin_memory | transfer/pinned_memory#lead transfer/pinning_costs#lead
how to time gpu code | execution/timing#lead
why is the first call slow | execution/first_call#lead
device-side assert triggered | execution/late_errors#lead,values-out-of-range-are-found-late,device-assert-ends-the-context
CUDA_LAUNCH_BLOCKING | execution/late_errors#lead,launch-blocking-names-the-culprit
which operations synchronize | execution/which_calls_wait#lead,few-operators-wait
when do I need record_stream | execution/stream_memory#lead transfer/wrong_bytes#lead,recorded-memory-not-overwritten
is tf32 enabled by default | precision/tf32#lead,default-leaves-matmul-alone,matmul-is-full-fp32-by-default,cudnn-is-tf32-by-default
cannot re-initialize CUDA in forked subprocess | execution/processes#lead,forked-process-cannot-use-cuda
DataLoader pin_memory | transfer/data_loader#lead
CUDA_VISIBLE_DEVICES has no effect | devices/visible_devices#lead
expected all tensors to be on the same device | devices/like_another#lead,a-factory-in-forward-fails-on-the-gpu,an-attribute-stays-behind transfer/gpu_to_gpu#lead,a-cpu-number-may-be-added,copy-reads-another-gpu,peer-access-does-not-mix-devices
overlap data transfer with compute | transfer/overlap#lead
copy tensor from one gpu to another | transfer/gpu_to_gpu#lead
item() slows down my training loop | transfer/device_to_host#lead,item-waits-in-every-step,item-leaves-the-gpu-idle,item-costs-most-where-the-host-works execution/which_calls_wait#lead
out of memory during training offload to cpu | transfer/offload#lead
""")

#: With a typo, or spelt as the site does not.
VARIANTS = _read("""
recordstream | execution/stream_memory#lead transfer/wrong_bytes#lead,recorded-memory-not-overwritten
nonblocking | transfer/non_blocking#lead transfer/wrong_bytes#lead
pinned memroy | transfer/pinned_memory#lead transfer/pinning_costs#lead
syncronize | execution/timing#lead,synchronize-waits-for-the-product,synchronize-waits-for-every-stream execution/waiting#lead devices/which_gpu#synchronize-waits-for-the-current-gpu execution/which_calls_wait#lead
pin memory | transfer/pinned_memory#lead transfer/pinning_costs#lead
cuda visible devices ignored | devices/visible_devices#lead
dataloder pin memory | transfer/data_loader#lead
tf32 acuracy | precision/tf32_accuracy#lead,tf32-multiplies-the-speed,tf32-error-is-two-orders-larger
p2p copy multi gpu | transfer/gpu_to_gpu#lead,a-direct-copy-beats-the-host
save_on_cpu offloading activatoins | transfer/offload#lead
cuda launch blocking wrong traceback | execution/late_errors#lead,launch-blocking-names-the-culprit
multiprocessing forked sub process cuda error | execution/processes#lead,forked-process-cannot-use-cuda
accumulategrad stream missmatch | execution/accumulate_grad#lead
benchmarking with cuda events elapsedtime | execution/timing#lead,elapsed-time-needs-enable-timing,elapsed-time-needs-reached-events,events-agree-with-the-clock
""")

#: Of every chapter, as somebody types who is in a hurry.
OWN = _read("""
tensor ends up on wrong gpu | devices/which_gpu#lead
set_device vs default device | devices/which_gpu#lead,torch-device-leaves-the-current-gpu,set-device-lasts,the-current-gpu-is-no-default-device
x.device == torch.device("cuda") is False | devices/which_gpu#a-bare-cuda-equals-no-gpu
Expected a 'cuda' device type for generator but found 'cpu' | devices/which_gpu#a-default-device-breaks-shuffling
invalid device ordinal | devices/which_gpu#a-gpu-that-is-not-there-raises
os.environ CUDA_VISIBLE_DEVICES after import torch | devices/visible_devices#lead,importing-freezes-nothing,a-late-change-takes-the-wrong-gpu
select gpu by uuid | devices/visible_devices#a-uuid-names-a-gpu,uuids-and-indices-do-not-mix
device agnostic code cpu fallback | devices/with_and_without#lead
zeros_like vs new_zeros | devices/like_another#lead
register_buffer or plain attribute | devices/like_another#an-attribute-stays-behind,a-buffer-moves-along
is cuda asynchronous | execution/asynchronous#lead
how many kernels can be queued | execution/asynchronous#lead,a-place-for-each-kernel,a-full-queue-loses-nothing
set_sync_debug_mode | execution/which_calls_wait#lead,operators-wait-unreported,common-lines-are-reported-rightly
does boolean mask indexing sync | execution/which_calls_wait#masks-wait-for-their-size,known-sizes-do-not-wait transfer/non_blocking#values-and-masks-wait
nonzero is slow | execution/which_calls_wait#operators-that-find-a-size-wait
GradScaler step sync | execution/which_calls_wait#the-scaler-waits-in-step,a-fused-step-of-the-scaler-does-not-wait
stack trace points to wrong line | execution/late_errors#lead
warm up before benchmark | execution/first_call#lead execution/timing#lead,first-call-loads-its-kernel,first-product-and-first-memory
CUDA_MODULE_LOADING=EAGER | execution/first_call#lead,eager-loading-does-not-wait,eager-loading-costs-at-the-start
100% cpu while waiting for gpu | execution/timing#waiting-spins,a-blocking-event-sleeps
triton do_bench vs torch Timer | execution/timing#tools-agree-on-a-long-kernel,do-bench-empties-the-cache,timer-counts-the-host
streams dont run concurrently | execution/streams#lead
stream priority | execution/streams#an-urgent-stream-goes-first,an-urgent-stream-may-come-last,an-equal-stream-comes-last,priorities-are-clamped
wait_stream vs synchronize | execution/waiting#lead
two streams give wrong result sometimes | execution/races#lead
Both events must be created with argument 'enable_timing=True' | execution/timing#elapsed-time-needs-enable-timing
DLPack stream sync | execution/other_streams#lead,a-capsule-for-a-stream-makes-it-wait,a-capsule-without-a-stream-waits-for-nothing
backward in a side stream gradients wrong | execution/backward_streams#lead
detect race conditions between streams tool | execution/sanitizer#lead
fork vs spawn cuda multiprocessing | execution/processes#lead
two processes sharing one gpu slow | execution/processes#lead,a-busy-process-halves-the-speed,one-thread-takes-the-whole-gpu
pinned memory bandwith GB/s | transfer/pinned_memory#lead,pinned-copy-fills-the-link,pinned-copy-is-faster
pin_memory uses more memory than the tensor | transfer/pinning_costs#pinned-sizes-round-up,rounding-cannot-be-stopped
cudaHostRegister existing tensor | transfer/pinning_costs#registering-pins-in-place,registering-beats-a-first-pinning
non_blocking=True gives stale data on cpu | transfer/wrong_bytes#lead,host-copy-read-too-early,host-copy-read-after-event
cpu() got an unexpected keyword argument 'non_blocking' | transfer/non_blocking#cpu-takes-no-non-blocking
many small copies slow | transfer/many_small_tensors#lead
cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned | transfer/data_loader#loader-cannot-pin-gpu-tensors
conj complex tensor wrong on cpu | transfer/device_to_host#lazy-conjugate-arrives-unconjugated,resolved-conjugate-is-right,lazy-conjugate-with-gaps-arrives-wrong
set_float32_matmul_precision | precision/tf32#set-float32-matmul-precision,lead
""")
