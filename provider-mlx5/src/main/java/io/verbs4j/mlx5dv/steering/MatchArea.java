/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv.steering;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.mlx5.layout.DvFlowMatchParametersLayout;

/** Writes a {@code struct mlx5dv_flow_match_parameters} to native memory. */
final class MatchArea {
    private MatchArea() {}

    /** Returns the size of the struct with parameters of a length. */
    static int size(int length) {
        return DvFlowMatchParametersLayout.SIZEOF + length;
    }

    /** Writes parameters, padded with zeros to the length of the matcher's mask. */
    static void write(long address, FlowMatchParameters parameters, int least) {
        int length = Math.max(least, parameters.length());
        NativeMemory.putLong(address + DvFlowMatchParametersLayout.MATCH_SZ, length);
        parameters.write(address + DvFlowMatchParametersLayout.SIZEOF, length);
    }
}
