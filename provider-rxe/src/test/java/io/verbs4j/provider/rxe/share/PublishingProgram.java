/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.share;

import io.verbs4j.provider.rxe.link.SystemKernel;
import java.io.IOException;

/** Publishes an address, prints it, and ends with its input. */
final class PublishingProgram {
    private PublishingProgram() {}

    public static void main(String[] args) throws IOException {
        try (SystemKernel kernel = new SystemKernel();
                RingEnd end = new RingEnd(kernel.calls())) {
            System.out.println(end.gid.toHex());
            System.in.read(); // until it is killed or told to end
        }
    }
}
