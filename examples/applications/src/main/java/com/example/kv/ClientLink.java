/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.kv;

import com.example.rdma.RcConnection;
import java.io.IOException;
import java.net.Socket;

/**
 * A client as the server sees it.
 *
 * @param number its number
 * @param socket by whose end the server learns that the client is gone
 * @param connection its queue pair
 */
record ClientLink(long number, Socket socket, RcConnection connection) {

    /** Ends the client from the server's side: its thread sees the socket's end, and does the rest. */
    void drop() {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("client " + number + ": " + e.getMessage());
        }
    }
}
