/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

/**
 * A function for C to call. It has six arguments, all {@code long}: of those that C does not pass, each is anything. To
 * be kept reachable as long as C knows its address. No exception gets to C: it counts as 0, and goes where those go
 * that nobody catches.
 */
public final class CallBack {
    static final int ARGUMENTS = 6;

    /** What is done. */
    @FunctionalInterface
    public interface Body {
        /** Called on the thread that C calls on. */
        long call(long a, long b, long c, long d, long e, long f);
    }

    /**
     * What C gets.
     *
     * @param keeper as long as this is reachable, the address is valid
     */
    record Stub(long address, Object keeper) {}

    private final Body body;
    private final Stub stub;

    /** A function that does this. */
    public CallBack(Body body) {
        this.body = body;
        this.stub = NativeBinding.stub(this);
    }

    /** Where C finds it. */
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
            // there is nobody left to tell
        }
    }
}
