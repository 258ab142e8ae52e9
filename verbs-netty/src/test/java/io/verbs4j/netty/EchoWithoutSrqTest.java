/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import io.verbs4j.netty.nosrq.OnDeviceWithoutSrq;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same on a device without shared receive queues. */
@ExtendWith(OnDeviceWithoutSrq.class)
class EchoWithoutSrqTest extends EchoTest {}
