/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.fake;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.XrcdOpenFlags;
import io.verbs4j.core.Verbs;

/** Opens the first device once for each of the property's sizes, and tells which functions served. */
public final class OpenProgram {
    private OpenProgram() {}

    public static void main(String[] args) {
        for (String size : System.getenv("FAKE_SIZES").split(",", -1)) {
            Device device = Verbs.devices().get(0);
            try (Context context = Verbs.open(device, VerbsLevel.CURRENT)) {
                System.out.println(size + " port " + context.queryPort(1).gidTblLen());
                XrcdInitAttr attr = new XrcdInitAttr().file(null).oflags(XrcdOpenFlags.CREAT);
                try (XrcDomain domain = context.openXrcd(attr)) {
                    System.out.println(size + " domain " + (domain != null));
                } catch (VerbsException e) {
                    System.out.println(size + " domain " + e.getMessage());
                }
            }
        }
    }
}
