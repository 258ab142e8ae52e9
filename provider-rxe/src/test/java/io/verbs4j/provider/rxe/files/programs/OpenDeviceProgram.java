/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.files.programs;

import io.verbs4j.Context;
import io.verbs4j.DeviceKind;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import java.io.IOException;

/** Keeps the first embedded device open until it is killed; prints its process number and its GID. */
public final class OpenDeviceProgram {
    private OpenDeviceProgram() {}

    public static void main(String[] args) throws IOException {
        try (Context device = Verbs.open(
                Verbs.devices().stream()
                        .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                        .findFirst()
                        .orElseThrow(),
                VerbsLevel.CURRENT)) {
            System.out.println("process " + ProcessHandle.current().pid());
            System.out.println(device.queryGid(1, 0));
            System.in.read();
        }
    }
}
