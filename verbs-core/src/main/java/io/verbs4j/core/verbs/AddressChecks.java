/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import io.verbs4j.AhAttr;
import io.verbs4j.GlobalRoute;
import io.verbs4j.core.base.Arguments;

/** Checks of an address vector: each number must fit its field. */
final class AddressChecks {
    private AddressChecks() {}

    /**
     * Checks an address vector.
     *
     * @param name the caller's name for it
     */
    static void check(String verb, String name, AhAttr ah) {
        Arguments.notNull(verb, name, ah);
        Arguments.port(verb, name + ".portNum", ah.portNum());
        range(verb, name, ".dlid", ah.dlid(), 0, 0xffff);
        range(verb, name, ".sl", ah.sl(), 0, 15);
        range(verb, name, ".srcPathBits", ah.srcPathBits(), 0, 127);
        range(verb, name, ".staticRate", ah.staticRate(), 0, 255);
        if (ah.isGlobal()) {
            GlobalRoute grh = ah.grh();
            if (grh == null || grh.dgid() == null) {
                Arguments.notNull(verb, name + ".grh", grh);
                Arguments.notNull(verb, name + ".grh.dgid", grh.dgid());
            }
            range(verb, name, ".grh.flowLabel", grh.flowLabel(), 0, 0xfffff);
            range(verb, name, ".grh.sgidIndex", grh.sgidIndex(), 0, 255);
            range(verb, name, ".grh.hopLimit", grh.hopLimit(), 0, 255);
            range(verb, name, ".grh.trafficClass", grh.trafficClass(), 0, 255);
        }
    }

    /** As {@link Arguments#range}; builds the name only for a message. */
    private static void range(String verb, String name, String field, int value, int least, int most) {
        if (value < least || value > most) {
            Arguments.range(verb, name + field, value, least, most);
        }
    }
}
