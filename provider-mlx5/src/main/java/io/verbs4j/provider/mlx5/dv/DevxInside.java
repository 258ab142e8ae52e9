/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5.dv;

import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.object.VendorObject;
import java.util.function.Function;

/**
 * The parts of a DevX object that steering needs and that programs do not see.
 *
 * @param base the context that the object was created in
 * @param handle keeps the object open
 * @param address the {@code struct mlx5dv_devx_obj}; for use while the object is kept open
 */
public record DevxInside(VendorContext base, VendorObject handle, long address) {
    private static volatile Function<Object, DevxInside> access;

    /** Sets the function that returns the parts of an object; called by the initializer of its class. */
    public static <T> void reachedBy(Class<T> type, Function<T, DevxInside> inside) {
        access = object -> inside.apply(type.cast(object));
    }

    /** Returns the parts of a DevX object. */
    public static DevxInside of(Object object) {
        return access.apply(object);
    }
}
