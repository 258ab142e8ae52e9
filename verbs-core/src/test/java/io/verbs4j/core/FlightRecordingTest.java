/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.core;

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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library tells the flight recorder. */
class FlightRecordingTest {
    private static final String PREFIX = "io.verbs4j.";

    @TempDir
    Path folder;

    private interface Action {
        void run() throws Exception;
    }

    /** The events of one kind that an action leads to. */
    private List<RecordedEvent> record(String name, Action action) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(PREFIX + name).withoutThreshold();
            recording.start();
            action.run();
            recording.stop();
            return read(recording).stream()
                    .filter(event -> event.getEventType().getName().equals(PREFIX + name))
                    .toList();
        }
    }

    private List<RecordedEvent> read(Recording recording) throws IOException {
        Path file = folder.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file);
    }

    @Test
    void openingADeviceIsRecorded() throws Exception {
        List<RecordedEvent> events = record("DeviceOpen", () -> new Rig("fake7"));
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
        List<RecordedEvent> events = record(
                "DeviceOpen",
                () -> assertThatThrownBy(() -> rig.library.open(rig.device, 1))
                        .hasMessageContaining("somebody has it"));
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getInt("errno")).isEqualTo(Errno.EBUSY);
    }

    @Test
    void registrationsAreRecorded() throws Exception {
        Rig rig = new Rig();
        ProtectionDomain pd = rig.pd();
        List<RecordedEvent> events = record("MemoryRegistration", () -> {
            pd.regMr(ByteBuffer.allocateDirect(77), AccessFlags.LOCAL_WRITE);
            pd.regMr(0x1000, 78, AccessFlags.REMOTE_READ);
        });
        assertThat(events).extracting(event -> event.getLong("length")).containsExactly(77L, 78L);
        assertThat(events)
                .extracting(event -> event.getInt("access"))
                .containsExactly(AccessFlags.LOCAL_WRITE, AccessFlags.REMOTE_READ);
        assertThat(events).allMatch(event -> event.getString("device").equals("fake0"));
    }

    @Test
    void statesOfQueuePairsAreRecordedWhereTheyChange() throws Exception {
        Rig rig = new Rig();
        QueuePair qp = rig.qp(QpType.RC);
        QpAttr init = new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(0);
        List<RecordedEvent> events = record("QueuePairState", () -> {
            qp.modify(init);
            qp.modify(new QpAttr().pkeyIndex(0));
        });
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
        List<RecordedEvent> events = record("AsyncEvent", () -> {
            doReturn(AsyncEvent.of(EventType.QP_FATAL, qp), AsyncEvent.of(rig.context, EventType.PORT_ERR, 3))
                    .when(rig.ops)
                    .getAsyncEvent(anyLong());
            rig.context.getAsyncEvent();
            rig.context.getAsyncEvent();
        });
        assertThat(events)
                .extracting(event -> event.getString("type"))
                .containsExactly(EventType.toString(EventType.QP_FATAL), EventType.toString(EventType.PORT_ERR));
        assertThat(events).extracting(event -> event.getString("element")).containsExactly(qp.toString(), "port 3");
    }

    @Test
    void nothingIsRecordedThatIsNotWanted() throws Exception {
        try (Recording recording = new Recording()) {
            for (String name : List.of("DeviceOpen", "MemoryRegistration", "QueuePairState", "AsyncEvent")) {
                recording.disable(PREFIX + name);
            }
            recording.start();
            Rig rig = new Rig();
            rig.mr(rig.pd());
            recording.stop();
            assertThat(read(recording))
                    .noneMatch(event -> event.getEventType().getName().startsWith(PREFIX));
        }
    }
}
