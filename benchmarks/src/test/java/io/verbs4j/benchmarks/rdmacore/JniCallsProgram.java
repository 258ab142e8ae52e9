/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

/** Posts a batch of writes through {@link Jni}, polls for them, and prints what the simulator counted. */
final class JniCallsProgram {
    private static final int SENDS = 4;
    private static final int DOORBELLS = 7;

    /** Printed after the calls. Any later output comes from JNA, which reads the counters. */
    static final String DONE = "done";

    private JniCallsProgram() {}

    /** Runs the program. */
    public static void main(String[] args) {
        write();
        poll();
        System.out.println(DONE);
        long seen = DeviceSim.device_sim_count(SENDS);
        if (DeviceSim.device_sim_count(DOORBELLS) == 0) {
            throw new IllegalStateException("no doorbell was seen");
        }
        DeviceSim.check();
        System.out.println("sends " + seen);
    }

    private static void write() {
        long pair = Jni.open("post_send-write");
        Jni.before(pair);
        int error = 0;
        for (int i = 0; i < Batches.OPERATIONS; i++) {
            error |= Jni.postSend(Jni.qp(pair), Jni.request(pair, i % Batches.BATCH, Jni.WRITES));
        }
        Jni.after(pair, error, 0, 0); // ends the process if a write has not arrived
        Jni.close(pair);
    }

    private static void poll() {
        long pair = Jni.open("poll_cq-16");
        Jni.before(pair);
        int polled = 0;
        for (int i = 0; i < Batches.OPERATIONS; i += 16) {
            polled += Jni.pollCq(Jni.sendCq(pair), 16, Jni.completions(pair));
        }
        Jni.after(pair, 0, polled, Batches.OPERATIONS * (Batches.BATCH - 1) / 2);
        Jni.close(pair);
    }
}
