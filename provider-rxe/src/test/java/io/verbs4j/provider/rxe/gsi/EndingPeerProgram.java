/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.gsi;

import io.verbs4j.Device;
import io.verbs4j.DeviceKind;
import io.verbs4j.VerbsLevel;
import io.verbs4j.cm.CmConnection;
import io.verbs4j.cm.CmListener;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.core.Verbs;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Listens at {@code localhost}, prints its port, and accepts connections, each of which ends as the first byte of its
 * private data says: by a message of a given length and close, or with the process, by {@link System#exit}, by
 * returning from {@code main}, or when it is killed.
 */
final class EndingPeerProgram {
    static final byte EXIT = 1;
    static final byte RETURN = 2;
    static final byte STAY = 3;
    static final byte SEND = 4;

    private EndingPeerProgram() {}

    public static void main(String[] args) throws Exception {
        Device device = Verbs.devices().stream()
                .filter(d -> d.kind() == DeviceKind.EMBEDDED)
                .findFirst()
                .orElseThrow();
        Party party = new Party(Verbs.open(device, VerbsLevel.CURRENT));
        CmListener listener =
                CmListener.listen(party.context, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        System.out.println(listener.address().getPort());
        while (true) {
            CmConnection connection =
                    listener.accept(party.pd, party.attr(), ConnParam.DEFAULT, qp -> {}, 60, TimeUnit.SECONDS);
            byte[] asked = connection.peer().privateData();
            switch (asked[0]) {
                case EXIT -> System.exit(0);
                case RETURN -> {
                    return;
                }
                case STAY -> System.in.read();
                default -> {
                    int size = (asked[1] & 0xff) << 16 | (asked[2] & 0xff) << 8 | asked[3] & 0xff;
                    try (Message message = new Message(party.pd, size)) {
                        message.fill(size);
                        message.send(connection.queuePair());
                        connection.drainTime(60, TimeUnit.SECONDS).close();
                    }
                }
            }
        }
    }
}
