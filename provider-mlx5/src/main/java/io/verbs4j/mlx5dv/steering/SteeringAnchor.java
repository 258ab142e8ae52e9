/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvSteeringAnchorAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvSteeringAnchorLayout;
import io.verbs4j.rdmacore.VendorContext;
import io.verbs4j.rdmacore.call.Answers;
import io.verbs4j.rdmacore.quirk.Libmlx5;

/**
 * A point at which rules of the program's own tables return packets to the kernel's tables, created by
 * {@link Steering#createAnchor}. Thread-safe. Source: mlx5dv_create_steering_anchor(3).
 */
public final class SteeringAnchor extends SteeringHandle {
    private static final String KIND = "steering anchor";
    private static final String CREATE = "mlx5dv_create_steering_anchor";
    private static final String DESTROY = "mlx5dv_destroy_steering_anchor";

    private final int id;

    private SteeringAnchor(VendorContext base, long address, Referents referents) {
        super(base, KIND, address, referents);
        id = NativeMemory.getInt(address + DvSteeringAnchorLayout.ID);
    }

    static SteeringAnchor create(VendorContext base, int tableType, int priority) {
        Answers.narrow(CREATE, "priority", priority, 0xffff);
        return new HandleMaker<>(base, CREATE, 42, KIND, SteeringAnchor::new)
                .make(DvSteeringAnchorAttrLayout.SIZEOF, (function, c) -> {
                    NativeMemory.putInt(c + DvSteeringAnchorAttrLayout.FT_TYPE, tableType);
                    NativeMemory.putShort(c + DvSteeringAnchorAttrLayout.PRIORITY, priority);
                    return function.call(base.address(), c);
                });
    }

    /**
     * Returns the number of the table that rules created through DevX name as their destination.
     *
     * @return the number; valid until close
     */
    public int id() {
        return id;
    }

    @Override
    void destroy() {
        Answers.check(DESTROY, Libmlx5.function(DESTROY, 42).call(address()));
    }
}
