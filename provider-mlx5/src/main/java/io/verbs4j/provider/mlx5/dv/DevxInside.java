/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;
import java.util.function.Function;

/**
 * What the steering needs of an object of DevX, and programs do not see.
 *
 * @param base the context that the object was made in
 * @param handle what keeps the object open
 * @param address the {@code struct mlx5dv_devx_obj}; to be used while the object is kept open
 */
public record DevxInside(VendorContext base, VendorObject handle, long address) {
    private static volatile Function<Object, DevxInside> access;

    /** Sets how the inside of an object is reached; for the initialiser of its class. */
    public static <T> void reachedBy(Class<T> type, Function<T, DevxInside> inside) {
        access = object -> inside.apply(type.cast(object));
    }

    /** Returns the inside of an object of DevX. */
    public static DevxInside of(Object object) {
        return access.apply(object);
    }
}
