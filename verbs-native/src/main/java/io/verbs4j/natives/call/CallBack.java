/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

/**
 * A Java function that C can call. It has six {@code long} arguments; those that C does not pass hold arbitrary values.
 * Keep it reachable as long as C knows its address. An exception never reaches C: it goes to the thread's uncaught
 * exception handler, and C gets 0.
 */
public final class CallBack {
    static final int ARGUMENTS = 6;

    /** The body of the function. */
    @FunctionalInterface
    public interface Body {
        /** Runs on the thread that C calls on. */
        long call(long a, long b, long c, long d, long e, long f);
    }

    /**
     * The entry point for C.
     *
     * @param keeper keeps the address valid while it is reachable
     */
    record Stub(long address, Object keeper) {}

    private final Body body;
    private final Stub stub;

    /** Creates a function that runs {@code body}. */
    public CallBack(Body body) {
        this.body = body;
        this.stub = NativeBinding.stub(this);
    }

    /** {@return the address at which C calls the function} */
    public long address() {
        return stub.address();
    }

    long run(long a, long b, long c, long d, long e, long f) {
        try {
            return body.call(a, b, c, d, e, f);
        } catch (Throwable t) {
            tell(t);
            return 0;
        }
    }

    private static void tell(Throwable t) {
        try {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        } catch (Throwable again) {
            // the handler itself failed, and nothing is left to report to
        }
    }
}
