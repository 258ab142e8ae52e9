/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.natives.call;

/** Template that {@link Jna} copies for each address. The class itself is never bound or used. */
final class BoundFunction extends NativeFunction {

    BoundFunction() {}

    private static native long invoke(long a);

    private static native long invoke(long a, long b);

    private static native long invoke(long a, long b, long c);

    private static native long invoke(long a, long b, long c, long d);

    private static native long invoke(long a, long b, long c, long d, long e);

    private static native long invoke(long a, long b, long c, long d, long e, long f);

    @Override
    public long call(long a) {
        return invoke(a);
    }

    @Override
    public long call(long a, long b) {
        return invoke(a, b);
    }

    @Override
    public long call(long a, long b, long c) {
        return invoke(a, b, c);
    }

    @Override
    public long call(long a, long b, long c, long d) {
        return invoke(a, b, c, d);
    }

    @Override
    public long call(long a, long b, long c, long d, long e) {
        return invoke(a, b, c, d, e);
    }

    @Override
    public long call(long a, long b, long c, long d, long e, long f) {
        return invoke(a, b, c, d, e, f);
    }
}
