/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.Gid;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.programs.GuidProgram;
import io.verbs4j.testsupport.program.Jdk;
import io.verbs4j.testsupport.program.Program;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each embedded device of each process is a separate node. */
class NodeGuidTest {
    private static final List<Gid> ADDRESSES = List.of(Gid.of(0, 0xffff_7f40_0001L));
    private static final long LOCAL = 0x02L << 56;
    private static final long GROUP = 0x01L << 56;

    @Test
    void guidDependsOnMachineProcessNumberAndAddress() {
        long guid = NodeGuid.of("machine", "1", 0, ADDRESSES);
        assertThat(NodeGuid.of("machine", "1", 0, ADDRESSES)).isEqualTo(guid);
        assertThat(Set.of(
                        guid,
                        NodeGuid.of("another", "1", 0, ADDRESSES),
                        NodeGuid.of("machine", "2", 0, ADDRESSES),
                        NodeGuid.of("machine", "1", 1, ADDRESSES),
                        NodeGuid.of("machine", "1", 0, List.of(Gid.of(0, 0xffff_7f40_0002L)))))
                .hasSize(5);
    }

    @Test
    void guidIsLocalUnicast() {
        for (int device = 0; device < 100; device++) {
            long guid = NodeGuid.of(device, ADDRESSES, PortAddresses.interfaces());
            assertThat(guid & (LOCAL | GROUP)).isEqualTo(LOCAL);
        }
    }

    @Test
    void processesHaveDifferentGuids() throws Exception {
        Set<String> all = new HashSet<>();
        Device own = Verbs.devices().stream()
                .filter(device -> device.kind() == DeviceKind.EMBEDDED)
                .findFirst()
                .orElseThrow();
        all.add(Long.toHexString(own.guid()));
        int processes = 2;
        for (int i = 0; i < processes; i++) {
            all.addAll(guids(List.of("-Dio.verbs4j.rxe.devices=2")));
        }
        assertThat(all).hasSize(1 + 2 * processes);
    }

    @Test
    void addressesHaveDifferentGuids() throws Exception {
        List<String> both =
                guids(List.of("-Dio.verbs4j.rxe.devices=2", "-Dio.verbs4j.rxe.addresses=127.9.0.1,127.9.0.2"));
        assertThat(both).hasSize(2).doesNotHaveDuplicates();
    }

    private static List<String> guids(List<String> options) throws Exception {
        Program.Result result = Program.run(Jdk.own().command(options, GuidProgram.class), 120);
        assertThat(result.status()).as(result.text()).isZero();
        return result.lines();
    }
}
