/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** How a transfer is done by a device's operations. */
package io.verbs4j.bulk.strategy;
