/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvDrActionDestAttrLayout;
import io.verbs4j.provider.mlx5.layout.DvDrActionDestReformatLayout;

/**
 * One of the destinations of an action, for {@link SteeringDomain#createDestinations}. Immutable. Source:
 * {@code struct mlx5dv_dr_action_dest_attr}, mlx5dv_dr_flow(3).
 */
public final class ActionDestination {
    private static final int REFORMAT = 1;
    private static final int ENTRY = Long.BYTES + DvDrActionDestAttrLayout.SIZEOF + DvDrActionDestReformatLayout.SIZEOF;

    private final SteeringAction reformat;
    private final SteeringAction destination;
    private final boolean reformats;

    private ActionDestination(SteeringAction reformat, SteeringAction destination, boolean reformats) {
        this.reformat = reformat;
        this.destination = destination;
        this.reformats = reformats;
    }

    /**
     * Creates a destination that receives packets unchanged. Source: {@code MLX5DV_DR_ACTION_DEST}.
     *
     * @param destination an action that directs packets to a destination
     * @return the destination
     */
    public static ActionDestination of(SteeringAction destination) {
        return new ActionDestination(null, destination, false);
    }

    /**
     * Creates a destination that receives packets after headers are added or removed. Source:
     * {@code MLX5DV_DR_ACTION_DEST_REFORMAT}.
     *
     * @param reformat an action that adds or removes headers
     * @param destination an action that directs packets to a destination
     * @return the destination
     */
    public static ActionDestination of(SteeringAction reformat, SteeringAction destination) {
        return new ActionDestination(reformat, destination, true);
    }

    static int size(String verb, ActionDestination... destinations) {
        if (destinations == null || destinations.length == 0) {
            throw new VerbsException(Errno.EINVAL, verb, "destinations is null or empty; pass at least two");
        }
        for (int i = 0; i < destinations.length; i++) {
            if (destinations[i] == null) {
                throw new VerbsException(Errno.EINVAL, verb, "destinations[" + i + "] is null");
            }
        }
        return destinations.length * ENTRY;
    }

    /** Writes an array of pointers, followed by the structs that they point to. */
    static void write(long at, Referents referents, ActionDestination... destinations) {
        long next = at + (long) destinations.length * Long.BYTES;
        for (int i = 0; i < destinations.length; i++) {
            NativeMemory.putLong(at + (long) i * Long.BYTES, next);
            destinations[i].write(next, referents);
            next += ENTRY - Long.BYTES;
        }
    }

    private void write(long at, Referents referents) {
        long target = referents.add("destination", destination);
        if (!reformats) {
            NativeMemory.putLong(at + DvDrActionDestAttrLayout.DEST, target);
            return;
        }
        long inner = at + DvDrActionDestAttrLayout.SIZEOF;
        NativeMemory.putInt(at + DvDrActionDestAttrLayout.TYPE, REFORMAT);
        NativeMemory.putLong(at + DvDrActionDestAttrLayout.DEST_REFORMAT, inner);
        NativeMemory.putLong(inner + DvDrActionDestReformatLayout.REFORMAT, referents.add("reformat", reformat));
        NativeMemory.putLong(inner + DvDrActionDestReformatLayout.DEST, target);
    }
}
