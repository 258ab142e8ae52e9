/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.guest.programs.KernelAnswersProgram;
import io.verbs4j.testsupport.Full;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answers of a kernel's device to the queries of level 3 match {@code ibv_devinfo} and sysfs. */
@Full
class KernelAskedIT {
    private static final String TABLE = "cd /sys/class/infiniband/rxe0/ports/1; for i in gids/*; do n=${i#gids/};"
            + " g=$(cat $i); [[ ${g//[0:]} ]] || continue;"
            + " echo \"sysfs $n $g $(cat gid_attrs/types/$n) $(cat /sys/class/net/$(cat"
            + " gid_attrs/ndevs/$n)/ifindex)\"; done";

    @Test
    void answersMatchIbvDevinfoAndSysfs() {
        String java = String.join(" ", Guest.java(KernelAnswersProgram.class.getName()));
        Guest.Result result = Guest.quickest()
                .run("pair", 120, List.of("bash", "-c", KernelOffers.COMMAND + "; (" + TABLE + "); " + java));
        String output = String.join("\n", result.lines());
        assertThat(result.status()).as(output).isZero();
        List<String> asked = after(result, "asked\t");
        List<String> expected = new ArrayList<>();
        KernelOffers kernel = KernelOffers.of(result.lines());
        String caps = "0x" + Long.toHexString(kernel.capabilities());
        expected.add("caps " + caps);
        expected.add("plain " + caps);
        assertThat(asked).as(output).startsWith(expected.toArray(String[]::new));
        assertThat(asked)
                .as(output)
                .contains(
                        "clock 0 0",
                        "ports 1",
                        "unlike most 0 0",
                        "query_values EOPNOTSUPP",
                        "modify_cq EOPNOTSUPP",
                        "in order 0")
                .noneMatch(line -> line.startsWith("another") || line.equals("served"))
                .containsSubsequence("query_gid_ex ENODATA", "query_gid_ex EINVAL", "query_gid_ex EINVAL");
        long flushes = kernel.capabilities() >>> 38 & 3; // global visibility, persistence
        assertThat(asked).contains("rights of queue pairs 0x" + Long.toHexString(0xf | flushes << 8));
        assertThat(asked).contains("odp 0x0 0x0 0x0"); // hidden: the kernel corrupts data in such regions
        List<String> gids =
                asked.stream().filter(line -> line.startsWith("gid ")).toList();
        List<String> sysfs = after(result, "sysfs ").stream()
                .map(line -> "gid "
                        + line.replace(":", "").replace("IB/RoCE v1", "1").replace("RoCE v2", "2"))
                .toList();
        assertThat(gids).as(output).hasSizeGreaterThan(1).containsExactlyInAnyOrderElementsOf(sysfs);
    }

    private static List<String> after(Guest.Result result, String start) {
        return result.lines().stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .toList();
    }
}
