"""Two agents in the published style, as somebody with the published harness would write them.

They know two methods and a recorder, and nothing of this package: no import, no base class.
"""

import json
import re


class CategoryOpener:
    """Has one skill, "open the link with this name", and uses it where the goal names a category."""

    def reset(self, task, recorder):
        self.goal = task.goal
        self.recorder = recorder

    def act(self, observation):
        name = re.search(r"category (?:\(not the tag\) )?([A-Z]\w*)", self.goal)
        if name is None:
            return "send_msg_to_user('I only open categories.')"
        with self.recorder.skill_call("open_link") as call:
            for line in observation["elements"].splitlines():
                element = json.loads(line)
                if element["role"] == "link" and element["name"] == name.group(1):
                    return f"click('{element['bid']}')"
            call.fail("no link of that name")
        return "report_infeasible('There is no such link.')"


class CarelessPlanner:
    """Opens a skill inside a skill once, and lets an exception escape from another: what the recorder must survive."""

    def reset(self, task, recorder):
        self.task = task
        self.recorder = recorder
        self.turn = 0

    def act(self, observation):
        self.turn += 1
        if self.turn == 1:
            return self._nested()
        if self.turn == 2:
            return self._escaping({})
        with self.recorder.skill_call("finish"):
            return f"send_msg_to_user('{self.task.uid} after {self.turn} of {self.task.max_steps}')"

    def _nested(self):
        with self.recorder.skill_call("search"):
            try:
                with self.recorder.skill_call("type"):
                    return "goto('/never/')"
            except Exception:  # noqa: BLE001  an agent of others may catch anything
                return "noop()"  # the outer call goes on: one call, no failure

    def _escaping(self, page):
        try:
            with self.recorder.skill_call("read"):
                return page["no such key"]
        except KeyError:
            return "noop()"
