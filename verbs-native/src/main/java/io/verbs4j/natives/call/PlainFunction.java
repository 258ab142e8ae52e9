/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import java.lang.invoke.MethodHandle;

/**
 * Calls functions that may block, through the foreign function API. A call allocates nothing, compiled or not; errno is
 * read only after a failed call.
 */
final class PlainFunction extends NativeFunction {
    private static final MethodHandle CALL1 = ForeignLinker.handle(1);
    private static final MethodHandle CALL2 = ForeignLinker.handle(2);
    private static final MethodHandle CALL3 = ForeignLinker.handle(3);
    private static final MethodHandle CALL4 = ForeignLinker.handle(4);
    private static final MethodHandle CALL5 = ForeignLinker.handle(5);
    private static final MethodHandle CALL6 = ForeignLinker.handle(6);

    private final Object function;

    PlainFunction(long address) {
        function = ForeignLinker.function(address);
    }

    /** Keeps errno if the result is -1, as the caller may then ask for it. */
    private static long answer(long result) {
        if ((int) result == -1) {
            Foreign.keepErrno();
        }
        return result;
    }

    @Override
    public long call(long a) {
        try {
            return answer((long) CALL1.invokeExact(function, a));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b) {
        try {
            return answer((long) CALL2.invokeExact(function, a, b));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c) {
        try {
            return answer((long) CALL3.invokeExact(function, a, b, c));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d) {
        try {
            return answer((long) CALL4.invokeExact(function, a, b, c, d));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d, long e) {
        try {
            return answer((long) CALL5.invokeExact(function, a, b, c, d, e));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d, long e, long f) {
        try {
            return answer((long) CALL6.invokeExact(function, a, b, c, d, e, f));
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }
}
