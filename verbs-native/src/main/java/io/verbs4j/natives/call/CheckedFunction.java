/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

import io.verbs4j.natives.foreign.ForeignApi;
import io.verbs4j.natives.foreign.ForeignLinker;
import java.lang.invoke.MethodHandle;

/** Calls through the foreign function API and keeps errno. */
final class CheckedFunction extends NativeFunction {
    private static final MethodHandle CALL1 = ForeignLinker.checkedHandle(1);
    private static final MethodHandle CALL2 = ForeignLinker.checkedHandle(2);
    private static final MethodHandle CALL3 = ForeignLinker.checkedHandle(3);
    private static final MethodHandle CALL4 = ForeignLinker.checkedHandle(4);
    private static final MethodHandle CALL5 = ForeignLinker.checkedHandle(5);
    private static final MethodHandle CALL6 = ForeignLinker.checkedHandle(6);

    private final Object function;

    CheckedFunction(long address) {
        function = ForeignLinker.function(address);
    }

    @Override
    public long call(long a) {
        try {
            return (long) CALL1.invokeExact(function, Foreign.kept(), a);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b) {
        try {
            return (long) CALL2.invokeExact(function, Foreign.kept(), a, b);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c) {
        try {
            return (long) CALL3.invokeExact(function, Foreign.kept(), a, b, c);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d) {
        try {
            return (long) CALL4.invokeExact(function, Foreign.kept(), a, b, c, d);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d, long e) {
        try {
            return (long) CALL5.invokeExact(function, Foreign.kept(), a, b, c, d, e);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }

    @Override
    public long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) CALL6.invokeExact(function, Foreign.kept(), a, b, c, d, e, f);
        } catch (Throwable t) {
            throw ForeignApi.thrown(t);
        }
    }
}
