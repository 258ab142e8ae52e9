/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.pingpong;

import io.verbs4j.Context;
import io.verbs4j.QpCreateSendOps;
import io.verbs4j.tools.net.Address;
import io.verbs4j.tools.net.PeerLink;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.AskFirst;
import io.verbs4j.tools.traffic.Endpoint;
import io.verbs4j.tools.traffic.Service;
import java.net.Socket;
import java.util.List;

/** One side of a ping-pong, whichever way its messages go. */
interface Game extends AutoCloseable {
    /**
     * Makes a side, where the device can do what is asked.
     *
     * @param context the device
     * @param service transport service
     * @param role which side this is
     * @param options the rest
     */
    static Game of(Context context, Service service, PingPong.Role role, PingPongOptions options) {
        AskFirst device = new AskFirst(context);
        if (options.write) {
            device.operation(service, QpCreateSendOps.RDMA_WRITE, "");
            return new WritePingPong(context, service, role, options);
        }
        device.operation(
                service,
                QpCreateSendOps.SEND,
                "Give both sides --write: each message is then written into the peer's memory, which looks there");
        if (service == Service.SRQ) {
            device.sharedReceives();
        }
        if (options.path.events()) {
            device.events();
        }
        return new PingPong(context, service, role, options);
    }

    /** The addresses of this side. */
    List<Address> local();

    /** The addresses of the peer, once connected. */
    List<Address> remote();

    /** What is connected with the peer's. */
    Endpoint endpoint();

    /** Connects the queue pairs to the peer's. */
    void connect(List<Address> peer);

    /** Tells the peer what else it must know, when the addresses are exchanged. */
    void meet(Socket socket);

    /**
     * Plays until as many messages as asked for have gone each way.
     *
     * @param link connection to the peer
     * @param progress where to show how far it is
     */
    void play(PeerLink link, Progress progress);

    /** What came of it. */
    PingPongResult result();

    @Override
    void close();
}
