/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import static io.verbs4j.provider.rxe.packet.ScriptedPeer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Gid;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.program.Jdk;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The last message of a program that exits is acknowledged, even if acknowledgements wait for a reply. */
class LeavingProgramTest {
    @Test
    void lastMessageIsAcknowledgedOnExit() throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer()) {
            List<String> command = new ArrayList<>(Jdk.own().command(List.of("-Xmx64m"), LeavingProgram.class));
            command.add(Long.toString(peer.gid().subnetPrefix()));
            command.add(Long.toString(peer.gid().interfaceId()));
            try (ToldProcess program = new ToldProcess(command)) {
                String[] its = program.answer().split(" ", -1);
                peer.connect(Gid.of(Long.parseLong(its[0]), Long.parseLong(its[1])), Integer.parseInt(its[2]));
                int last = LeavingProgram.MESSAGES - 1;
                for (int i = 0; i < last; i++) {
                    // The program polls meanwhile, until no thread of its device waits for packets.
                    peer.silence();
                    peer.data(Opcode.RC_SEND_ONLY, LeavingProgram.PSN + i, true, bytes(64, i));
                    boolean acknowledged = peer.next().opcode() == Opcode.RC_ACKNOWLEDGE;
                    assertThat(peer.next().opcode() == Opcode.RC_ACKNOWLEDGE).isNotEqualTo(acknowledged);
                    peer.ack(LeavingProgram.ANSWER_PSN + i);
                }
                peer.silence();
                peer.data(Opcode.RC_SEND_ONLY, LeavingProgram.PSN + last, true, bytes(64, last));
                peer.nextAck(LeavingProgram.PSN + last);
                assertThat(program.answer())
                        .as("output after the program ended")
                        .isNull();
            }
        }
    }
}
