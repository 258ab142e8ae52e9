/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.rdmacore;

/** {@code jni_verbs.c}: posts and polls by a JNI call, and what is around them by the code of the C program. */
final class Jni {
    /** Requests each on its own: writes. */
    static final int WRITES = 0;

    /** Writes that are linked. */
    static final int WRITE_LIST = 1;

    /** Sends, each on its own. */
    static final int SENDS = 2;

    static {
        System.load(System.getProperty(JavaSide.JNI_LIBRARY));
    }

    private Jni() {}

    /** {@code ibv_post_send} of a {@code struct ibv_send_wr} that is there; its answer. */
    static native int postSend(long qp, long wr);

    /** {@code ibv_poll_cq} into {@code struct ibv_wc}s that are there; its answer. */
    static native int pollCq(long cq, int n, long wc);

    /** Makes a pair for a verb of {@code verbs.c}; what is wrong ends the process, with a message. */
    static native long open(String verb);

    static native void close(long pair);

    static native void before(long pair);

    static native void after(long pair, int error, int polled, long ids);

    static native long qp(long pair);

    static native long sendCq(long pair);

    static native long request(long pair, int i, int kind);

    static native long completions(long pair);
}
