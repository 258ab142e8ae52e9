/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.testsupport.StrictJson;
import io.verbs4j.tools.text.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceInfoTextTest {
    private static DeviceInfo info(int port) {
        FakeDevices devices = new FakeDevices("fake_0");
        try (Context context = devices.open(devices.list().get(0))) {
            return DeviceInfo.ask(context, port);
        }
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = DeviceInfoTextTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shortFormEqualsIbvDevinfo() throws IOException {
        assertThat(DeviceInfoText.write(info(0), false)).isEqualTo(golden("info.txt"));
    }

    @Test
    void longFormEqualsIbvDevinfo() throws IOException {
        assertThat(DeviceInfoText.write(info(2), true)).isEqualTo(golden("info-v.txt"));
    }

    @Test
    void jsonHasTheSameFields() {
        Map<String, Object> map = StrictJson.object(Json.write(DeviceInfoText.json(info(0))));
        assertThat(map)
                .containsEntry("hca_id", "fake_0")
                .containsEntry("node_guid", "0002:c903:00a1:b2c3")
                .containsEntry("max_qp", 393144.0)
                .containsEntry("device_cap_flags", "0x40020802")
                .containsEntry(
                        "device_cap_flag_names",
                        List.of("BAD_PKEY_CNTR", "SYS_IMAGE_GUID", "MEM_WINDOW", "Unknown flags: 0x40000000"));
        List<?> ports = (List<?>) map.get("ports");
        assertThat(ports).hasSize(2);
        Map<?, ?> port = (Map<?, ?>) ports.get(1);
        assertThat(port.get("state")).isEqualTo("PORT_ACTIVE (4)");
        assertThat(port.get("gids")).isEqualTo(Map.of("0", "fe80::2:c903:a1:b2c5", "2", "::ffff:192.0.2.1"));
        assertThat(port.get("pkeys")).isEqualTo(List.of("0xffff", "0x0000"));
    }

    @Test
    void unknownCodesAreInvalid() {
        assertThat(Names.transport(5)).isEqualTo("invalid transport");
        assertThat(Names.portState(9)).isEqualTo("invalid state");
        assertThat(Names.mtu(0)).isEqualTo("invalid MTU");
        assertThat(Names.mtu(6)).isEqualTo("invalid MTU");
        assertThat(Names.width(3)).isEqualTo("invalid width");
        assertThat(Names.speed(3)).isEqualTo("invalid speed");
        assertThat(Names.virtualLanes(0)).isEqualTo("invalid value");
        assertThat(Names.atomicCap(3)).isEqualTo("invalid atomic capability");
    }
}
