/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.mlx5;

import io.verbs4j.mlx5dv.DevxObject;
import io.verbs4j.rdmacore.object.VendorObject;

/** What the other packages of the vendor's verbs need of DevX objects, and programs do not see. */
public abstract class DevxAccess {
    private static volatile DevxAccess access;

    /** For {@link DevxObject} alone. */
    protected DevxAccess() {}

    /** Sets the implementation; called by the initialiser of {@link DevxObject}. */
    public static void set(DevxAccess value) {
        access = value;
    }

    /** The implementation; set as soon as there is an object. */
    public static DevxAccess get() {
        return access;
    }

    /** What keeps the object open. */
    public abstract VendorObject handle(DevxObject object);

    /** The {@code struct mlx5dv_devx_obj}; to be used while the object is kept open. */
    public abstract long address(DevxObject object);

    /** The context that the object was made in. */
    public abstract Mlx5Context base(DevxObject object);
}
