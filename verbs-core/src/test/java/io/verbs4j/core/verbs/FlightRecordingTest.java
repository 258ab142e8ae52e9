/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doReturn;

import io.verbs4j.AccessFlags;
import io.verbs4j.AsyncEvent;
import io.verbs4j.Errno;
import io.verbs4j.EventType;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpAttr;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.VerbsException;
import io.verbs4j.testsupport.FlightRecorded;
import java.nio.ByteBuffer;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** What the library tells the flight recorder. */
class FlightRecordingTest {
    @Test
    void openingADeviceIsRecorded() throws Exception {
        List<RecordedEvent> events = FlightRecorded.of(() -> new Rig("fake7"), "DeviceOpen");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getString("device")).isEqualTo("fake7");
        assertThat(events.get(0).getString("provider")).isEqualTo("fake");
        assertThat(events.get(0).getInt("level")).isEqualTo(1);
        assertThat(events.get(0).getInt("errno")).isZero();
    }

    @Test
    void failureToOpenIsRecordedWithItsErrno() throws Exception {
        Rig rig = new Rig();
        rig.provider.opener = (device, context) -> {
            throw new VerbsException(Errno.EBUSY, "open_device", "somebody has it");
        };
        List<RecordedEvent> events = FlightRecorded.of(
                () -> assertThatThrownBy(() -> rig.library.open(rig.device, 1)).hasMessageContaining("somebody has it"),
                "DeviceOpen");
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getInt("errno")).isEqualTo(Errno.EBUSY);
    }

    @Test
    void registrationsAreRecorded() throws Exception {
        Rig rig = new Rig();
        ProtectionDomain pd = rig.pd();
        List<RecordedEvent> events = FlightRecorded.of(
                () -> {
                    pd.regMr(ByteBuffer.allocateDirect(77), AccessFlags.LOCAL_WRITE);
                    pd.regMr(0x1000, 78, AccessFlags.REMOTE_READ);
                },
                "MemoryRegistration");
        assertThat(events).extracting(event -> event.getLong("length")).containsExactly(77L, 78L);
        assertThat(events)
                .extracting(event -> event.getInt("access"))
                .containsExactly(AccessFlags.LOCAL_WRITE, AccessFlags.REMOTE_READ);
        assertThat(events).allMatch(event -> event.getString("device").equals("fake0"));
    }

    @Test
    void changesOfQueuePairStateAreRecorded() throws Exception {
        Rig rig = new Rig();
        QueuePair qp = rig.qp(QpType.RC);
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0);
        List<RecordedEvent> events = FlightRecorded.of(
                () -> {
                    qp.modify(init);
                    qp.modify(new QpAttr().pkeyIndex(0));
                },
                "QueuePairState");
        assertThat(events).hasSize(1);
        RecordedEvent event = events.get(0);
        assertThat(event.getInt("qpNum")).isEqualTo(qp.qpNum());
        assertThat(List.of(
                        event.getString("device"),
                        event.getString("type"),
                        event.getString("from"),
                        event.getString("to")))
                .containsExactly("fake0", "RC", "RESET", "INIT");
    }

    @Test
    void asynchronousEventsAreRecordedWhenTheyAreTaken() throws Exception {
        Rig rig = new Rig();
        QueuePair qp = rig.udQp();
        List<RecordedEvent> events = FlightRecorded.of(
                () -> {
                    doReturn(AsyncEvent.of(EventType.QP_FATAL, qp), AsyncEvent.of(rig.context, EventType.PORT_ERR, 3))
                            .when(rig.ops)
                            .getAsyncEvent(anyLong());
                    rig.context.getAsyncEvent();
                    rig.context.getAsyncEvent();
                },
                "AsyncEvent");
        assertThat(events)
                .extracting(event -> event.getString("type"))
                .containsExactly(EventType.toString(EventType.QP_FATAL), EventType.toString(EventType.PORT_ERR));
        assertThat(events).extracting(event -> event.getString("element")).containsExactly(qp.toString(), "port 3");
    }

    @Test
    void unwantedEventsAreNotRecorded() throws Exception {
        try (Recording recording = new Recording()) {
            for (String name : List.of("DeviceOpen", "MemoryRegistration", "QueuePairState", "AsyncEvent")) {
                recording.disable(FlightRecorded.PREFIX + name);
            }
            recording.start();
            Rig rig = new Rig();
            rig.mr(rig.pd());
            recording.stop();
            assertThat(FlightRecorded.read(recording)).isEmpty();
        }
    }
}
