/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs of different releases exchange data through the embedded devices of one machine. */
package io.verbs4j.compat.peers;
