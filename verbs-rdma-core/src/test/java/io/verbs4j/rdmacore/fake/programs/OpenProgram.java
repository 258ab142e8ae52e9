/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake.programs;

import io.verbs4j.Context;
import io.verbs4j.ContextAttr;
import io.verbs4j.ContextSlot;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;

/** Opens the first device once for each size in the property, and prints which functions were called. */
public final class OpenProgram {
    private OpenProgram() {}

    public static void main(String[] args) {
        for (String size : System.getenv("FAKE_SIZES").split(",", -1)) {
            Device device = Verbs.devices().get(0);
            try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
                System.out.println(size + " port " + context.queryPort(1).gidTblLen());
                DeviceAttrEx device3 = context.queryDeviceEx();
                System.out.println(size + " device " + device3.origAttr().maxQp() + " " + device3.maxDmSize() + " 0x"
                        + Long.toHexString(device3.deviceCapFlagsEx()) + " 0x"
                        + Long.toHexString(context.queryDevice().deviceCaps()) + " " + device3.physPortCntEx());
                System.out.println(size + " slots" + slots(context.queryContext()));
                XrcdInitAttr attr = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
                try (XrcDomain domain = context.openXrcd(attr)) {
                    System.out.println(size + " domain " + (domain != null));
                } catch (VerbsException e) {
                    System.out.println(size + " domain " + e.getMessage());
                }
            }
        }
    }

    /** {@return the slots of level 3 that the provider has filled, except those of completion queues} */
    private static String slots(ContextAttr attr) {
        StringBuilder filled = new StringBuilder();
        for (int slot = ContextSlot.QUERY_VALUES; slot <= ContextSlot.MODIFY_QP_RATE_LIMIT; slot++) {
            if (attr.hasVerb(slot)) {
                filled.append(' ').append(ContextSlot.verb(slot));
            }
        }
        return filled.toString();
    }
}
