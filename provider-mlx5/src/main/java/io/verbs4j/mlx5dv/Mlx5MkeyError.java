/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * The signature error that {@link Mlx5Mkey#check()} found. Immutable. Source: mlx5dv_mkey_check(3),
 * {@code struct mlx5dv_mkey_err}.
 */
public final class Mlx5MkeyError extends Answer {
    private final Values values;

    Mlx5MkeyError(int type, long actualValue, long expectedValue, long offset) {
        this(new Values(type, actualValue, expectedValue, offset));
    }

    private Mlx5MkeyError(Values values) {
        super(values);
        this.values = values;
    }

    private record Values(int type, long actualValue, long expectedValue, long offset) {}

    /** {@return the kind of error, a {@link Mlx5MkeyErrorType} value} */
    public int type() {
        return values.type();
    }

    /** {@return the guard, tag or checksum of the data; 0 without an error} */
    public long actualValue() {
        return values.actualValue();
    }

    /** {@return the guard, tag or checksum that was expected; 0 without an error} */
    public long expectedValue() {
        return values.expectedValue();
    }

    /** {@return the offset of the wrong block in the transfer, in bytes; 0 without an error} */
    public long offset() {
        return values.offset();
    }
}
