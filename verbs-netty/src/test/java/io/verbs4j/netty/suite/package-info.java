/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Netty's own tests of transports, with the channels of verbs-netty. */
package io.verbs4j.netty.suite;
