/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.text.GidText;
import io.verbs4j.tools.traffic.Service;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints addresses as the C programs do. */
final class AddressLines {
    private AddressLines() {}

    /** {@return the line of this side; the C program for datagrams has a colon where the others have a comma} */
    static String local(Address a, Service service) {
        return line("  local address:  ", a, service.isConnected() ? ", " : ": ");
    }

    static String remote(Address a) {
        return line("  remote address: ", a, ", ");
    }

    private static String line(String what, Address a, String beforeGid) {
        return String.format(
                Locale.ROOT,
                "%sLID 0x%04x, QPN 0x%06x, PSN 0x%06x%sGID %s%n",
                what,
                a.lid(),
                a.qpn(),
                a.psn(),
                beforeGid,
                GidText.of(a.gid()));
    }

    static List<Map<String, Object>> json(List<Address> addresses) {
        return addresses.stream().map(AddressLines::json).toList();
    }

    private static Map<String, Object> json(Address a) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("lid", a.lid());
        map.put("qpn", a.qpn());
        map.put("psn", a.psn());
        map.put("gid", GidText.of(a.gid()));
        return map;
    }
}
