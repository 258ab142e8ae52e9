/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.programs;

import io.verbs4j.DeviceKind;
import io.verbs4j.core.Verbs;

/** Prints the GUIDs of this process's embedded devices. */
public final class GuidProgram {
    private GuidProgram() {}

    public static void main(String[] args) {
        Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .forEach(device -> System.out.println(Long.toHexString(device.guid())));
    }
}
