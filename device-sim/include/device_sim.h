/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * How a test steers the simulated devices. The functions are in the library that `device-sim/run` preloads; a program
 * may look them up by name (dlsym, JNA), or be linked with it. All may be called from any thread.
 */
#ifndef DEVICE_SIM_H
#define DEVICE_SIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEVICE_SIM_API __attribute__((visibility("default")))

/*
 * Lets the devices work: at most `steps` steps,
 or with a negative number until there is nothing left to do. A step is one
 * work request, or one try of it. Returns the number of steps that were made.
 */
DEVICE_SIM_API int device_sim_pump(int steps);

enum device_sim_mode { DEVICE_SIM_PUMP = 0, DEVICE_SIM_THREAD = 1 };
/* Who makes the steps: the caller of device_sim_pump, or a thread of the simulator. Returns the mode before. */
DEVICE_SIM_API int device_sim_mode(int mode);

enum device_sim_fault {
    /* the next work requests complete with the status `arg` (enum ibv_wc_status); plus 256 times the vendor's syndrome */
    DEVICE_SIM_FAULT_ERROR = 0,
    DEVICE_SIM_FAULT_RNR = 1, /* the next requests to this queue pair are answered "receiver not ready" */
    DEVICE_SIM_FAULT_DROP = 2, /* the next packets of this queue pair are lost */
    DEVICE_SIM_FAULT_DROP_ANSWER = 3, /* the next packets arrive, their answers are lost */
    DEVICE_SIM_FAULT_PORT_BUSY = 4, /* Gaudi: the next ports that are set up are still being torn down, EAGAIN; of no queue pair */
    DEVICE_SIM_FAULT_KINDS
};
/*
 * `count` times, for the queue pair with this number, 0 for any. Replaces what was set before; count 0 takes it away.
 */
DEVICE_SIM_API int device_sim_fault(uint32_t qpn, int kind, int arg, int count);

/*
 * Datagrams (UD) are held back up to `depth` at a time, and delivered in an order that `seed` decides; requests of SRD are
 * taken from the next `depth` of their ring, likewise. Depth 0: in order.
 */
DEVICE_SIM_API int device_sim_reorder(int depth, uint32_t seed);

/*
 * Of a thousand packets so many are lost, and so many of their answers, which ones `seed` decides. In-process answers only:
 * those that come from another process arrive. 0: none are. 0 or an errno.
 */
DEVICE_SIM_API int device_sim_loss(int per_thousand, uint32_t seed);

/*
 * Raises an asynchronous event (enum ibv_event_type) on a device, by its index. `number` is that of the queue pair,
 * completion queue, shared receive queue or port, as the event wants it. 0 or an errno.
 */
DEVICE_SIM_API int device_sim_async_event(int device, int event_type, uint32_t number);

/* Sets the state (enum ibv_port_state) of a port, and raises the event that belongs to it. 0 or an errno. */
DEVICE_SIM_API int device_sim_port_state(int device, int port, int state);

/*
 * Raises an event of the device (an MLX5_EVENT_TYPE number) for those who subscribed to it with DevX. `opcode` is that of
 * the command which created the object, `number` what the command answered; opcode 0: an event of no object, `number` is
 * the port then. 0 or an errno: ENOENT where there is no such object, EINVAL where the event is not one of such objects.
 */
DEVICE_SIM_API int device_sim_devx_event(int device, int event, int opcode, uint32_t number);

enum device_sim_counter {
    DEVICE_SIM_COUNT_VIOLATIONS = 0, /* descriptors and doorbells that no correct library writes */
    DEVICE_SIM_COUNT_KEY_ERRORS = 1, /* wrong keys and bounds: the application's mistake, told by an error completion */
    DEVICE_SIM_COUNT_REFUSED = 2, /* commands that the simulator does not know */
    DEVICE_SIM_COUNT_STEPS = 3,
    DEVICE_SIM_COUNT_SENDS = 4, /* work requests taken from send queues */
    DEVICE_SIM_COUNT_RECEIVES = 5,
    DEVICE_SIM_COUNT_COMPLETIONS = 6,
    DEVICE_SIM_COUNT_DOORBELLS = 7, /* doorbells seen; several between two looks count as one */
    DEVICE_SIM_COUNT_PACKETS = 8,
    DEVICE_SIM_COUNT_RETRIES = 9,
    DEVICE_SIM_COUNT_COMP_EVENTS = 10,
    DEVICE_SIM_COUNT_ASYNC_EVENTS = 11,
    DEVICE_SIM_COUNT_COMMAND_ERRORS = 12, /* DevX commands that the device refused; what EFA's commands forbid */
    DEVICE_SIM_COUNT_DEVX_EVENTS = 13,
    DEVICE_SIM_COUNT_REMARKS = 14, /* descriptors with bytes that mean nothing and are not zero: executed all the same */
    DEVICE_SIM_COUNTERS
};
DEVICE_SIM_API uint64_t device_sim_count(int counter);
DEVICE_SIM_API void device_sim_reset_counts(void);

/* The first line of the last violation, remark, key error or command error, "" when there was none. Copied to `to`, cut to `size`. */
DEVICE_SIM_API int device_sim_message(char *to, int size);

enum device_sim_strict {
    DEVICE_SIM_REPORT = 0, /* a violation is printed and counted */
    DEVICE_SIM_ABORT = 1, /* ... and ends the process */
    DEVICE_SIM_ABORT_ON_KEYS = 2 /* ... and so does a key error or a command error */
};
/* Returns what was set before. */
DEVICE_SIM_API int device_sim_strict(int strict);

/* Work that lies in a ring but was never announced by a doorbell is reported as a violation. How many were found. */
DEVICE_SIM_API int device_sim_check_idle(void);

/* Nanoseconds of the devices' clock. In pump mode it moves with the steps alone. */
DEVICE_SIM_API uint64_t device_sim_clock(void);

/* Whether the kernel is just writing the page that translates time stamps to wall clock, in all contexts that are open. 0. */
DEVICE_SIM_API int device_sim_clock_busy(int busy);

#ifdef __cplusplus
}
#endif
#endif
