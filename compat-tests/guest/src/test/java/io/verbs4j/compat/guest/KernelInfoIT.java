/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code verbs info -v} prints the same about a kernel's device as {@code ibv_devinfo -v}, field by field. */
class KernelInfoIT {
    private static final String PORT_EX = "a member that query_port got later, which no level has yet";
    private static final String TABLE = "ibv_devinfo does not write the table";

    /** The fields that only C prints, with the reasons. */
    private static final Map<String, String> ONLY_IN_C = reasons(Map.of(PORT_EX, List.of("port 1 port_cap_flags2")));

    /** The names that we print and that ibv_devinfo of Debian 12 does not know yet. */
    private static final Map<String, String> YOUNGER = Map.of(
            "FLUSH_GLOBAL FLUSH_PERSISTENT ATOMIC_WRITE", "Unknown flags: 0x1C000000000",
            "SUPPORT_FLUSH SUPPORT_ATOMIC_WRITE", "Unknown flags: 0xC0");

    /** The fields that only we print, with the reasons. */
    private static final Map<String, String> ONLY_OURS = reasons(Map.of(TABLE, List.of("port 1 PKey[  0]")));

    private static Map<String, String> reasons(Map<String, List<String>> fields) {
        return fields.entrySet().stream()
                .flatMap(e -> e.getValue().stream().map(field -> Map.entry(field, e.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Parses the fields by name, with the port number before a port's fields; names of bits stand below their field.
     */
    private static Map<String, String> parse(Stream<String> lines) {
        Map<String, String> fields = new LinkedHashMap<>();
        String[] at = {"", ""}; // the current port and field
        lines.filter(line -> !line.isBlank()).forEach(line -> {
            String text = line.strip();
            if (line.startsWith("\t\t\t\t\t")) {
                fields.merge(at[1], text, (before, name) -> before + " " + name);
                return;
            }
            int colon = text.startsWith("GID") || text.startsWith("PKey") ? text.indexOf("]:") + 1 : text.indexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            String value = colon < 0 ? "" : text.substring(colon + 1).strip();
            if (name.equals("port")) {
                at[0] = "port " + value + " ";
                return;
            }
            at[1] = at[0] + name;
            assertThat(fields.put(at[1], value)).as(at[1]).isNull();
        });
        return fields;
    }

    @Test
    void infoMatchesIbvDevinfo() {
        Guest guest = Guest.quickest();
        String java = String.join(" ", Guest.java("io.verbs4j.tools.Main", "info", "-v"));
        Guest.Result result = guest.run(
                "pair", 120, List.of("bash", "-c", "ibv_devinfo -v; echo == ours; " + java + "; echo == end"));
        assertThat(result.status()).as(String.join("\n", result.lines())).isZero();
        int half = result.lines().indexOf("== ours");
        for (String device : List.of("rxe0", "rxe1")) {
            compare(
                    of(device, result.lines().subList(0, half)),
                    of(device, result.lines().subList(half, result.lines().size())));
        }
    }

    /** {@return the lines about a device, up to the next device's name} */
    private static Map<String, String> of(String device, List<String> lines) {
        return parse(lines.stream()
                .dropWhile(line -> !line.equals("hca_id:\t" + device))
                .skip(1)
                .takeWhile(line -> !line.startsWith("hca_id:") && !line.startsWith("== ")));
    }

    /** Returns our text, with C's number where C does not know the names. */
    private static String asIn(String c, String ours) {
        String text = ours;
        for (Map.Entry<String, String> younger : YOUNGER.entrySet()) {
            if (c.endsWith(younger.getValue())) {
                text = text.replace(younger.getKey(), younger.getValue());
            }
        }
        return text;
    }

    private static void compare(Map<String, String> c, Map<String, String> ours) {
        Map<String, String> shared = new LinkedHashMap<>(c);
        shared.keySet().retainAll(ours.keySet());
        assertThat(shared).hasSizeGreaterThan(80);
        // The kernel's rxe corrupts data in on-demand regions, so the binding reports none.
        assertThat(shared.keySet().removeIf(name -> name.endsWith("_odp_caps"))).isTrue();
        assertThat(ours).containsEntry("general_odp_caps", "").containsEntry("rc_odp_caps", " NO SUPPORT");
        assertThat(shared)
                .allSatisfy((name, value) ->
                        assertThat(asIn(value, ours.get(name))).as(name).isEqualTo(value));
        assertThat(shared).containsKeys("device_cap_flags", "port 1 GID[  0]", "port 1 GID[  1]", "port 1 GID[  2]");
        TreeSet<String> onlyInC = new TreeSet<>(c.keySet());
        onlyInC.removeAll(ours.keySet());
        assertThat(onlyInC).containsExactlyInAnyOrderElementsOf(ONLY_IN_C.keySet());
        TreeSet<String> onlyOurs = new TreeSet<>(ours.keySet());
        onlyOurs.removeAll(c.keySet());
        assertThat(onlyOurs).containsExactlyInAnyOrderElementsOf(ONLY_OURS.keySet());
    }
}
