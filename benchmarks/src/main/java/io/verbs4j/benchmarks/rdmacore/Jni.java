/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

/**
 * The functions of {@code jni_verbs.c}: posts and polls by JNI calls, with everything else done by the C program's
 * code.
 */
final class Jni {
    /** Kind of requests: single writes. */
    static final int WRITES = 0;

    /** Kind of requests: a list of writes. */
    static final int WRITE_LIST = 1;

    /** Kind of requests: single sends. */
    static final int SENDS = 2;

    static {
        System.load(System.getProperty(JavaSide.JNI_LIBRARY));
    }

    private Jni() {}

    /** Calls {@code ibv_post_send} for an existing {@code struct ibv_send_wr}, and returns its result. */
    static native int postSend(long qp, long wr);

    /** Calls {@code ibv_poll_cq} with existing {@code struct ibv_wc}s, and returns its result. */
    static native int pollCq(long cq, int n, long wc);

    /** Creates a pair for a verb of {@code verbs.c}. On an error, prints a message and exits the process. */
    static native long open(String verb);

    static native void close(long pair);

    static native void before(long pair);

    static native void after(long pair, int error, int polled, long ids);

    static native long qp(long pair);

    static native long sendCq(long pair);

    static native long request(long pair, int i, int kind);

    static native long completions(long pair);
}
