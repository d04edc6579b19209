# pragma version ~=0.4.0
# A token of ERC-20 as small as rewards need it: balances, transfers, and the event of a transfer.
# The account that deploys it can make it refuse transfers, or answer False without one, as some tokens do.

event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    value: uint256

balanceOf: public(HashMap[address, uint256])
owner: address
isStopped: bool
isSilent: bool


@deploy
def __init__(supply: uint256):
    self.owner = msg.sender
    self.balanceOf[msg.sender] = supply
    log Transfer(sender=empty(address), receiver=msg.sender, value=supply)


@external
def behave(isStopped: bool, isSilent: bool):
    assert msg.sender == self.owner
    self.isStopped = isStopped
    self.isSilent = isSilent


@external
def transfer(to: address, amount: uint256) -> bool:
    assert not self.isStopped
    if self.isSilent:
        return False
    self.balanceOf[msg.sender] -= amount
    self.balanceOf[to] += amount
    log Transfer(sender=msg.sender, receiver=to, value=amount)
    return True
