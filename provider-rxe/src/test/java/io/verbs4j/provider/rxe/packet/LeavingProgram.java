/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.packet;

import io.verbs4j.Gid;
import io.verbs4j.QpType;
import io.verbs4j.WrOpcode;

/** Replies to every message but the last, after which it just exits the JVM. */
final class LeavingProgram {
    static final int MESSAGES = 4;
    static final int PSN = 200;
    static final int ANSWER_PSN = 100;

    private LeavingProgram() {}

    /** Takes the halves of the peer's address as numbers. */
    public static void main(String[] args) {
        Subject subject = new Subject(QpType.RC, null, 4096);
        subject.connect(Gid.of(Long.parseLong(args[0]), Long.parseLong(args[1])), ScriptedPeer.QPN, ANSWER_PSN, PSN);
        for (int i = 0; i < MESSAGES; i++) {
            subject.recv(i, 0, 100);
        }
        Gid gid = subject.gid();
        System.out.println(gid.subnetPrefix() + " " + gid.interfaceId() + " " + subject.qp.qpNum());
        subject.next();
        for (int i = 1; i < MESSAGES; i++) {
            subject.qp.postSend(subject.wr(WrOpcode.SEND, i, 0, 64).sendFlags(0));
            subject.next();
        }
        System.exit(0);
    }
}
