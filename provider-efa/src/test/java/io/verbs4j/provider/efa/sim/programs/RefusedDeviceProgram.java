/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.Errno;
import io.verbs4j.QpType;
import io.verbs4j.rdmacore.sim.Check;

/**
 * Requests the Java path for a device that it cannot drive; by default the device opens with libefa. Argument: the
 * expected reason.
 */
public final class RefusedDeviceProgram {
    private RefusedDeviceProgram() {}

    public static void main(String... args) {
        Check.fails(Errno.EOPNOTSUPP, args[0], EfaRig::open);
        System.clearProperty("io.verbs4j.efa.path");
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            rig.receive(2, rig.at(EfaRig.SIZE, 64));
            rig.post(rig.send(1, rig.at(0, 64)));
            Check.equal(1, rig.next(rig.sends).wrId(), "id");
            Check.equal(2, rig.next(rig.receives).wrId(), "id");
        }
        System.out.println("refused ok");
    }
}
